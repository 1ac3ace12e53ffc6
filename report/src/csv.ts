// report/src/csv.ts: the ranking as a file, the same bytes that `select --ranking` writes.

/** The shortest text that gives the number back, spelled as the program spells it. */
export function exact(value: number): string {
  if (Object.is(value, -0)) return "-0";
  const [digits, exponent] = value.toExponential().split("e");
  const power = Number(exponent);
  if (value === 0 || (power >= -4 && power < 16)) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

const field = (text: string): string =>
  /[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

export interface Ranked {
  ranking: number[];
  scores: number[];
  frequency?: number[]; // share of runs that chose the feature
  nameAt(rank: number): string;
  hasNames: boolean;
  width?: number; // of the image that the features are
}

export function rankingCsv(data: Ranked): string {
  const often = data.frequency;
  const lines = ["rank,feature,name,score" + (often ? ",frequency" : "")];
  data.ranking.forEach((feature, r) =>
    lines.push(
      `${r + 1},${feature},${field(data.nameAt(r))},${exact(data.scores[r])}` +
        (often ? `,${exact(often[r])}` : ""),
    ),
  );
  return lines.join("\n") + "\n";
}

export function download(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** True when the text is on the clipboard. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Older browsers offer the clipboard to pages of a server only.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
