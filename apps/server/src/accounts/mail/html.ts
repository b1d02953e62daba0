/** Text that is HTML already, as opposed to one that has to be escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** HTML from a template: whatever is filled in is escaped, unless it is `Html` itself. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Html)[]): Html {
  const filled = parts.map((part, index) => {
    const value = values[index]
    if (value === undefined) return part
    return part + (value instanceof Html ? value.text : escapeHtml(String(value)))
  })
  return new Html(filled.join(''))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
