/**
 * Cuts Markdown into pieces that mean the same one by one, so that only the last piece of a long response is parsed again
 * when a word is added. Cuts at empty lines, and only where a new paragraph or block begins at the margin: not inside
 * code or a formula, and not where a list goes on.
 */
export function markdownBlocks(text: string): readonly string[] {
  const blocks: string[] = []
  let block: string[] = []
  let afterBlank = false
  let within: string | undefined
  for (const line of text.split('\n')) {
    if (within === undefined && afterBlank && startsBlock(line, block)) {
      blocks.push(block.join('\n'))
      block = []
    }
    block.push(line)
    within = stillWithin(within, line)
    afterBlank = line.trim() === ''
  }
  return [...blocks, block.join('\n')].filter((piece) => piece.trim() !== '')
}

/** Decides whether a line starts a block: a list item may belong to the list before it, and an indented line to its item. */
function startsBlock(line: string, [first = '']: readonly string[]): boolean {
  return /^\S/.test(line) && !(isItem(line) && isItem(first))
}

function isItem(line: string): boolean {
  return /^([-*+]|\d+[.)])(\s|$)/.test(line)
}

const opening = /^\s{0,3}(`{3,}|~{3,}|\$\$|\\\[)/

/** The mark that ends what the line is in the middle of, after this line. */
function stillWithin(end: string | undefined, line: string): string | undefined {
  if (end !== undefined) return isEnd(line, end) ? undefined : end
  const mark = opening.exec(line)?.[1]
  if (mark === undefined) return undefined
  const closing = mark === '\\[' ? '\\]' : mark
  const rest = line.slice(line.indexOf(mark) + mark.length)
  const isFormula = mark === '$$' || mark === '\\['
  return isFormula && rest.includes(closing) ? undefined : closing
}

function isEnd(line: string, end: string): boolean {
  if (end === '$$' || end === '\\]') return line.includes(end)
  const text = line.trim()
  return text.startsWith(end) && text.replaceAll(end.charAt(0), '') === ''
}
