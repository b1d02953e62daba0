/** Something to tell one person, in both languages at once: nobody has said yet which one they read. */
export interface Notification {
  /** As webhooks name it. A person gets only so many of one type in a while. */
  readonly type: string
  /** One line. */
  readonly title: string
  /** One paragraph per line, with `{{value}}` where a value stands. */
  readonly template: string
  /** In the order of their slots. Plain text: templates that write HTML escape them. */
  readonly values: readonly string[]
}

/** The template with its values in place, each as `write` has it. */
export function fillSlots(
  template: string,
  values: readonly string[],
  write = (value: string) => value,
): string {
  let next = 0
  return template.replaceAll('{{value}}', () => write(values[next++] ?? ''))
}
