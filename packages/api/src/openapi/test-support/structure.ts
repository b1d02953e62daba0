import type { OpenApiDocument, OpenApiOperation } from '../document-types.ts'

/**
 * Violations of the rules of OpenAPI 3.1 in its JSON schema and its text, as far as they concern such a document. Empty
 * for a valid one.
 */
export function structuralProblems(document: OpenApiDocument): string[] {
  return [
    ...ofRoot(document),
    ...ofReferences(document),
    ...ofOperationIds(document),
    ...ofPaths(document),
    ...operationsOf(document).flatMap(([position, operation]) => ofOperation(document, position, operation)),
  ]
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const schemeTypes = ['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect']
const schemaTypes = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']
const componentName = /^[a-zA-Z0-9._-]+$/

/** Every operation with its place, as `get /api/status`. */
export function operationsOf({ paths }: OpenApiDocument): [position: string, operation: OpenApiOperation][] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, OpenApiOperation] => [
      `${method} ${path}`,
      operation,
    ]),
  )
}

function ofRoot({ openapi, info, components }: OpenApiDocument): string[] {
  const schemes = Object.entries(components.securitySchemes).flatMap(([name, scheme]) => [
    ...unless(schemeTypes.includes(String(scheme['type'])), `${name} is of no type that there is`),
    ...unless(
      scheme['type'] !== 'apiKey' || (typeof scheme['name'] === 'string' && typeof scheme['in'] === 'string'),
      `${name} does not say where its key is`,
    ),
    ...unless(scheme['type'] !== 'http' || typeof scheme['scheme'] === 'string', `${name} has no scheme`),
  ])
  const names = [...Object.keys(components.schemas), ...Object.keys(components.securitySchemes)]
  return [
    ...unless(/^3\.1\.\d+$/.test(openapi), 'not a document of OpenAPI 3.1'),
    ...unless(info.title !== '' && info.version !== '', 'title or version is missing'),
    ...schemes,
    ...names.filter((name) => !componentName.test(name)).map((name) => `${name} is no name of a component`),
  ]
}

function ofReferences(document: OpenApiDocument): string[] {
  const problems: string[] = []
  visit(document, '#', (value, position) => {
    const { $ref, type } = value
    if (typeof $ref === 'string' && resolve(document, $ref) === undefined)
      problems.push(`${position} refers to ${$ref}, which is nowhere`)
    if (position.includes('schema') && typeof type === 'string' && !position.endsWith('/properties'))
      if (!schemaTypes.includes(type)) problems.push(`${position} is of type ${type}`)
  })
  return problems
}

function visit(
  value: unknown,
  position: string,
  see: (value: Readonly<Record<string, unknown>>, position: string) => void,
): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) see(value as Record<string, unknown>, position)
  for (const [name, part] of Object.entries(value)) visit(part, `${position}/${name}`, see)
}

function resolve(document: unknown, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document)
}

function ofOperationIds(document: OpenApiDocument): string[] {
  const seen = new Set<string>()
  return operationsOf(document).flatMap(([position, { operationId }]) => {
    const problems = unless(
      !seen.has(operationId),
      `${position}: ${operationId} is the id of another operation`,
    )
    seen.add(operationId)
    return problems
  })
}

/** Two templates that differ in the names of their variables alone are the same path. */
function ofPaths({ paths }: OpenApiDocument): string[] {
  const shapes = new Map<string, string>()
  return Object.entries(paths).flatMap(([path, item]) => {
    const shape = path.replace(/\{\w+\}/g, '{}')
    const other = shapes.get(shape)
    shapes.set(shape, path)
    return [
      ...unless(path.startsWith('/'), `${path} does not begin with a slash`),
      ...unless(other === undefined, `${path} is ${other}`),
      ...Object.keys(item)
        .filter((method) => !methods.includes(method))
        .map((method) => `${path} has no method ${method}`),
    ]
  })
}

function ofOperation(
  { components, tags }: OpenApiDocument,
  position: string,
  operation: OpenApiOperation,
): string[] {
  const { parameters, responses, security, requestBody } = operation
  const inTemplate = [...position.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
  const schemes = security.flatMap((requirement) => Object.keys(requirement))
  const problems = [
    ...unless(
      inTemplate.toSorted().join() ===
        inPath
          .map(({ name }) => name)
          .toSorted()
          .join(),
      'path and declared parameters differ',
    ),
    ...unless(
      inPath.every(({ required }) => required),
      'a parameter of the path is not required',
    ),
    ...unless(new Set(names).size === names.length, 'a parameter is declared twice'),
    ...unless(
      parameters.every(({ schema }) => typeof schema === 'object'),
      'a parameter has no schema',
    ),
    ...unless(Object.keys(responses).length > 0, 'it has no responses'),
    ...Object.keys(responses)
      .filter((status) => !/^[1-5]\d\d$/.test(status))
      .map((status) => `${status} is no status`),
    ...Object.values(responses).flatMap(({ description }) =>
      unless(description !== '', 'a response has no description'),
    ),
    ...schemes.filter((name) => !(name in components.securitySchemes)).map((name) => `no scheme ${name}`),
    ...operation.tags
      .filter((tag) => !tags.some(({ name }) => name === tag))
      .map((tag) => `the tag ${tag} is not listed`),
    ...unless(
      requestBody === undefined || Object.keys(requestBody.content).length > 0,
      'its body is of no type',
    ),
    ...unless(operation.summary !== '', 'it has no summary'),
  ]
  return problems.map((problem) => `${position}: ${problem}`)
}

function unless(holds: boolean, problem: string): string[] {
  return holds ? [] : [problem]
}
