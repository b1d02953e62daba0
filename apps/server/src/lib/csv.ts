/**
 * Starts of a formula in spreadsheets, which could send other cells away or start a program, also by the full-width signs of Chinese and
 * Japanese keyboards: at the start of a cell, and after what separates cells and lines where spreadsheets read `;` or a tab for the comma.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulaStarts = /(^|[;\t\r\n])((?:[^\S\t\r\n]|["'])*)(?=[=+\-@＝＋－＠])/g
const blankStart = /^[\t\r\n]/
const needsQuotes = /[",\r\n]/

/**
 * One line of CSV (RFC 4180). Numbers are written as they are; what a spreadsheet would run of a text gets a `'` before
 * it.
 */
export function csvLine(cells: readonly (string | number | boolean)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number | boolean): string {
  if (typeof cell !== 'string') return String(cell)
  const harmless = cell.replace(formulaStarts, "$1'$2").replace(blankStart, "'$&")
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Mark without which spreadsheets read UTF-8 as the code page of their country. */
export const byteOrderMark = '\uFEFF'
