// report/src/main.ts: reads the data in the page and shows it by its kind.
import "./style.css";
import { comparisonReport } from "./kinds/comparison";
import { evaluationReport } from "./kinds/evaluation";
import { extractionReport } from "./kinds/extraction";
import { selectionReport } from "./kinds/selection";
import { tuningReport } from "./kinds/tuning";

// A new kind is a file in kinds/ and a line here.
const kinds: Record<string, (data: never) => HTMLElement[]> = {
  selection: selectionReport,
  evaluation: evaluationReport,
  comparison: comparisonReport,
  tuning: tuningReport,
  extraction: extractionReport,
};

const data = JSON.parse(document.getElementById("report-data")!.textContent!);
document.body.append(...kinds[data.kind](data as never));
document.documentElement.dataset.ready = "yes";
