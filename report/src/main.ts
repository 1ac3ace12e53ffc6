// report/src/main.ts: reads the data in the page and shows it by its kind.
import "./style.css";
import { evaluationReport } from "./kinds/evaluation";
import { selectionReport } from "./kinds/selection";

// A new kind is a file in kinds/ and a line here.
const kinds: Record<string, (data: never) => HTMLElement[]> = {
  selection: selectionReport,
  evaluation: evaluationReport,
};

const data = JSON.parse(document.getElementById("report-data")!.textContent!);
document.body.append(...kinds[data.kind](data as never));
document.documentElement.dataset.ready = "yes";
