import { type BindingPattern, type Node, type Program, Visitor, type VisitorObject } from 'oxc-parser'
import replacements from './words.json' with { type: 'json' }

/** Words that names do not contain, each with what takes its place. */
export const refusedWords: ReadonlyMap<string, string> = new Map(Object.entries(replacements))

/** Returns the names that a file declares and that contain a refused word, each once. */
export function refusedNames(program: Program): readonly string[] {
  const names = new Set<string>()
  new Visitor(declarationVisitor((name) => names.add(name))).visit(program)
  return [...names].filter((name) => refusedWordIn(name) !== undefined)
}

/** Returns the refused word that a name contains; a comparison (`atMost`, `at_least`) is none. */
export function refusedWordIn(name: string): string | undefined {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _-]/)
  return words.find((word, index) => refusedWords.has(word) && words[index - 1] !== 'at')
}

/** Members of literal objects are no declarations: their type declares them, or a format of the wire does. */
function declarationVisitor(add: (name: string) => void): VisitorObject {
  const pattern = (node: BindingPattern | null) => {
    for (const name of boundNames(node)) add(name)
  }
  const member = ({ key }: { readonly key: Node }) => {
    if (key.type === 'Identifier' || key.type === 'PrivateIdentifier') add(key.name)
  }
  const callable = (node: { readonly id?: BindingPattern | null; readonly params: readonly Node[] }) => {
    pattern(node.id ?? null)
    for (const parameter of node.params) for (const name of boundNames(parameter)) add(name)
  }
  return {
    VariableDeclarator: ({ id }) => pattern(id),
    FunctionDeclaration: callable,
    FunctionExpression: callable,
    ArrowFunctionExpression: ({ params }) => callable({ params }),
    ClassDeclaration: ({ id }) => pattern(id),
    TSInterfaceDeclaration: ({ id }) => pattern(id),
    TSTypeAliasDeclaration: ({ id }) => pattern(id),
    MethodDefinition: member,
    PropertyDefinition: member,
    TSPropertySignature: member,
    TSMethodSignature: member,
  }
}

/** The names that a pattern or a parameter binds. */
function boundNames(node: Node | null): readonly string[] {
  switch (node?.type) {
    case 'Identifier':
      return [node.name]
    case 'ObjectPattern':
      return node.properties.flatMap((each) => boundNames(each.type === 'RestElement' ? each : each.value))
    case 'ArrayPattern':
      return node.elements.flatMap(boundNames)
    case 'AssignmentPattern':
      return boundNames(node.left)
    case 'RestElement':
      return boundNames(node.argument)
    case 'TSParameterProperty':
      return boundNames(node.parameter)
    default:
      return []
  }
}
