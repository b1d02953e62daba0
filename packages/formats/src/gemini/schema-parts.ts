import { isObject, type JsonObject, listOf, objectOf } from '../json-value.ts'

/** What a reference inside a schema points at (`#/$defs/Name`, `#`); an empty schema when there is nothing. */
export function resolveReference(root: JsonObject, reference: string): JsonObject {
  if (!reference.startsWith('#')) return {}
  let found: unknown = root
  for (const step of reference.split('/').slice(1)) {
    const name = unescaped(step)
    const holder: JsonObject = isObject(found) || Array.isArray(found) ? { ...found } : {}
    found = Object.hasOwn(holder, name) ? holder[name] : undefined
  }
  return isObject(found) ? found : {}
}

/** A step of a JSON pointer. https://www.rfc-editor.org/rfc/rfc6901#section-4 */
function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** One schema that asks what all of them ask: properties and required names together, of other members the last. */
export function mergeSchemas(schemas: readonly JsonObject[]): JsonObject {
  let merged: JsonObject = {}
  for (const schema of schemas) merged = mergeTwo(merged, schema)
  return merged
}

function mergeTwo(first: JsonObject, second: JsonObject): JsonObject {
  const merged = { ...first, ...second }
  const properties = isObject(first.properties) && isObject(second.properties)
  const required = Array.isArray(first.required) && Array.isArray(second.required)
  const allOf = Array.isArray(first.allOf) && Array.isArray(second.allOf)
  return {
    ...merged,
    ...(properties && { properties: { ...objectOf(first.properties), ...objectOf(second.properties) } }),
    ...(required && { required: [...new Set([...listOf(first.required), ...listOf(second.required)])] }),
    ...(allOf && { allOf: [...listOf(first.allOf), ...listOf(second.allOf)] }),
  }
}
