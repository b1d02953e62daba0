/** Keywords of alternatives, which several vendors refuse at the root. */
export const alternatives = ['anyOf', 'oneOf', 'allOf'] as const
/** Keywords in words, which every dialect reads. */
export const texts = ['title', 'description', 'default'] as const
/** Keywords of structure, which every strict dialect reads. */
export const structure = [
  '$defs',
  'definitions',
  '$ref',
  'type',
  'enum',
  'const',
  'anyOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
] as const
