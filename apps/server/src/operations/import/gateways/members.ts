/** An object of JSON as text, or as the database gives it. */
export type Members = Readonly<Record<string, unknown>>

/** Reads a text of JSON; `undefined` for one that is no object. */
export function membersOf(text: string): Members | undefined {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (value === null) return {}
    return typeof value === 'object' && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The members of a column that say something and have no place here, each as a reason. */
export function unplacedMembers(column: string, members: Members, known: ReadonlySet<string>): string[] {
  return Object.entries(members).flatMap(([member, value]) =>
    known.has(member) || !isSet(value) ? [] : [`${column}.${member} has no place here`],
  )
}

function isSet(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0 || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
