/**
 * Models write formulas in four ways: `\( … \)`, `\[ … \]`, `$ … $` and `$$ … $$`. Brings them to `$$`, which the
 * Markdown reader takes for nothing else; a single dollar often is money.
 */
export function withMathsMarks(markdown: string): string {
  return outsideCode(markdown, (text) =>
    text
      .replace(display, (_match, formula: string) => `\n$$\n${formula.trim()}\n$$\n`)
      .replace(inline, (_match, formula: string) => `$$${formula.trim()}$$`)
      .replace(dollars, (_match, before: string, formula: string) => `${before}$$${formula}$$`),
  )
}

/** Looks for a complete formula in Markdown that went through `withMathsMarks`. */
export function holdsMaths(marked: string): boolean {
  return /\$\$[\s\S]+?\$\$/.test(outsideCode(marked, (text) => text, ''))
}

/** Changes what is not code; code stays as it is unless a replacement is given. */
function outsideCode(markdown: string, change: (text: string) => string, insteadOfCode?: string): string {
  // Every second piece is the code that is split at.
  return markdown
    .split(code)
    .map((piece, index) => (index % 2 === 0 ? change(piece) : (insteadOfCode ?? piece)))
    .join('')
}

/** Fenced code, also while its end is not written yet, and code in a line. */
const code = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]+`)/
const display = /\\\[([\s\S]+?)\\\]/g
const inline = /\\\(([^\n]+?)\\\)/g
/** No space inside the dollars and no digit after them, as Pandoc has it: "$5 and $10" is money. */
const dollars = /(^|[^\\$\w])\$(?![\s$])([^$\n]*?[^\s$\\])\$(?![\d$])/g
