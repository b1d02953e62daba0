type Values = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null

/** The member of a field that the whole of it stands in: `setting` of `setting.proxy`. */
export function headOf(path: string): string {
  return path.split('.')[0] ?? path
}

/** The value at a path; a text of JSON is read. */
export function valueAt(record: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    const members = typeof value === 'string' ? parsed(value) : value
    return isObject(members) ? members[name] : undefined
  }, record)
}

/** The names of an object's members; those of a text of JSON are read. */
export function membersOf(value: unknown): readonly string[] {
  const members = typeof value === 'string' ? parsed(value) : value
  return isObject(members) ? Object.keys(members) : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * A body with one more value in it.
 * @param inText the members that are texts of JSON
 */
export function withValue(body: Values, path: string, value: unknown, inText: ReadonlySet<string>): Values {
  const [head = '', ...rest] = path.split('.')
  if (rest.length === 0) return { ...body, [head]: value }
  const found = typeof body[head] === 'string' ? parsed(body[head]) : body[head]
  const inner = withValue(isObject(found) ? found : {}, rest.join('.'), value, new Set())
  return { ...body, [head]: inText.has(head) ? JSON.stringify(inner) : inner }
}

/** Looks for a value anywhere in a text of JSON; of a list of names for one of them, as records have what a list gained. */
export function isWithin(value: unknown, text: string): boolean {
  const names = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]
  return names.some((name) =>
    text.includes(typeof name === 'string' ? JSON.stringify(name).slice(1, -1) : String(name)),
  )
}
