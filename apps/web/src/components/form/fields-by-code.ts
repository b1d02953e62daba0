/** Fields that the contract assigns to refusals: by the name in JSON, or the reason for none. */
type RefusedFields = Readonly<Record<string, string | object>>

/**
 * The field of a form for each refusal that is about one of its fields, for `fieldOf` of `useSaveForm`.
 * @param names the form's fields, by their names in JSON
 */
export function fieldsByCode<const Field extends string>(
  refused: RefusedFields,
  names: Readonly<Record<string, Field>>,
): Readonly<Record<string, Field>> {
  const found: Record<string, Field> = {}
  for (const [code, wire] of Object.entries(refused)) {
    const field = typeof wire === 'string' && Object.hasOwn(names, wire) ? names[wire] : undefined
    if (field !== undefined) found[code] = field
  }
  return found
}
