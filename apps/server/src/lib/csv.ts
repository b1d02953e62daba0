/** Starts of a formula in spreadsheets, which could send other cells away or start a program. */
const formulaStart = /^[=+\-@\t\r]/
const needsQuotes = /[",\r\n]/

/**
 * One line of CSV (RFC 4180). Numbers are written as they are; a text that a spreadsheet would run gets a `'` before
 * it.
 */
export function csvLine(cells: readonly (string | number | boolean)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number | boolean): string {
  if (typeof cell !== 'string') return String(cell)
  const harmless = formulaStart.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Mark without which spreadsheets read UTF-8 as the code page of their country. */
export const byteOrderMark = '\uFEFF'
