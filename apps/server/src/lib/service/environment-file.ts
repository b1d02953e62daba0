/** Variables of an environment, by their names. */
export type Variables = Readonly<Record<string, string>>

const assignment = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/**
 * Reads an environment file as systemd and compose do: one NAME=value a line, comments, quotes, and a backslash that continues
 * a line. https://www.freedesktop.org/software/systemd/man/latest/systemd.exec.html#EnvironmentFile=
 */
export function parseEnvironmentFile(text: string): Variables {
  const variables: Record<string, string> = {}
  for (const line of logicalLines(text)) {
    const [, name, value] = assignment.exec(line) ?? []
    if (name !== undefined && value !== undefined) variables[name] = unquoted(value.trim())
  }
  return variables
}

/** Lines without comments, each with what continues it. */
export function logicalLines(text: string): string[] {
  return text
    .replace(/\\\r?\n/g, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith(';'))
}

/** The words of a line that spaces part, where quotes do not hold them together. */
export function quotedWords(text: string): string[] {
  const words = text.match(/(?:[^\s"']|"(?:\\.|[^"\\])*"|'[^']*')+/g) ?? []
  return words.map(unquoted)
}

function unquoted(text: string): string {
  return text.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'/g, (_, double?: string, single?: string) =>
    double === undefined
      ? (single ?? '')
      : double.replace(/\\(.)/gs, (_match, escaped: string) => escapes[escaped] ?? escaped),
  )
}
