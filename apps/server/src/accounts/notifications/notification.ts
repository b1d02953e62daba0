/** A message to one person, in both languages at once: their language is unknown here. */
export interface Notification {
  /** The type in webhooks. A person gets a limited number of each type per time. */
  readonly type: string
  /** One line. */
  readonly title: string
  /** One paragraph per line, with `{{value}}` for each value. */
  readonly template: string
  /** Values in the order of their slots. Plain text: templates that write HTML escape them. */
  readonly values: readonly string[]
}

/** The template with its values inserted, each as `write` formats it. */
export function fillSlots(
  template: string,
  values: readonly string[],
  write = (value: string) => value,
): string {
  let next = 0
  return template.replaceAll('{{value}}', () => write(values[next++] ?? ''))
}
