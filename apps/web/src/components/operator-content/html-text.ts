/** Lines that are headings, lists, quotations or code in Markdown. */
const markdownLine = /^(#{1,6} |[-*+] |\d+\. |> |```)/m

/** Whether a text is HTML from end to end; what merely begins with HTML is Markdown with HTML in it. */
function isHtmlOnly(text: string): boolean {
  const trimmed = text.trim()
  return trimmed.startsWith('<') && trimmed.endsWith('>') && !markdownLine.test(trimmed)
}

interface Root {
  children: unknown[]
}

/** For remark: takes a text that is HTML as it stands. As Markdown, its indented lines would be code. */
export function preserveHtml() {
  return (root: Root, file: { readonly value: unknown }): void => {
    const text = String(file.value)
    if (isHtmlOnly(text)) root.children = [{ type: 'html', value: text }]
  }
}
