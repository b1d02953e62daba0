import { type Comment, type Node, type Program, Visitor } from 'oxc-parser'

/** Faults of the docstrings of a file. */
export interface DocstringFaults {
  /** First lines of those that begin with neither a verb nor a noun. */
  readonly openings: readonly string[]
  /** Names that `@param` has and the function below it has not. */
  readonly parameters: readonly string[]
}

const questions = 'what|whatever|who|whoever|whom|whose|which|whichever|whether|how|where|when|whenever|why'
const links = 'of|if|that|as|so|by|in|for|from|at|on|to|with|without'
const opening = new RegExp(`^(?:${questions}|${links})\\b`, 'i')

/** Reads the docstrings of a parsed file. */
export function docstringFaults(
  source: string,
  program: Program,
  comments: readonly Comment[],
): DocstringFaults {
  const docstrings = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
  const texts = docstrings.map(({ value }) =>
    value
      .slice(1)
      .replace(/^\s*\*? ?/gm, '')
      .trim(),
  )
  return {
    openings: texts.filter((text) => opening.test(text)).map((text) => text.split('\n')[0] ?? ''),
    parameters: unknownParameters(source, program, docstrings),
  }
}

/** A parameter that is taken apart has no name of its own: one name of the docstring may stand for each of them. */
function unknownParameters(
  source: string,
  program: Program,
  docstrings: readonly Comment[],
): readonly string[] {
  const documented = docstrings.filter(({ value }) => value.includes('@param'))
  if (documented.length === 0) return []
  const functions = functionsOf(program)
  return documented.flatMap((comment) => {
    const below = functions.find(({ start }) => start >= comment.end)
    const isBelow = below !== undefined && !/\n\s*\n/.test(source.slice(comment.end, below.start))
    const { names, patterns } = isBelow ? below : noParameters
    const unknown = namedBy(comment.value).filter((name) => !names.includes(name))
    return unknown.length > patterns ? unknown : []
  })
}

/** The names behind `@param`, without the types of JavaScript and what stands below an object. */
function namedBy(text: string): readonly string[] {
  return [...text.matchAll(/@param\s+(?:\{(?:[^{}]|\{[^{}]*\})*\}\s*)?\[?(\w+)/g)].map(
    ([, name = '']) => name,
  )
}

interface NamedParameters {
  readonly start: number
  readonly names: readonly string[]
  readonly patterns: number
}

const noParameters: Omit<NamedParameters, 'start'> = { names: [], patterns: 0 }

function functionsOf(program: Program): readonly NamedParameters[] {
  const found: NamedParameters[] = []
  const add = ({ start, params }: { readonly start: number; readonly params: readonly Node[] }) => {
    found.push({ start, names: params.flatMap(namesIn), patterns: params.filter(isPattern).length })
  }
  new Visitor({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
    TSDeclareFunction: add,
    TSMethodSignature: add,
    TSFunctionType: add,
    TSEmptyBodyFunctionExpression: add,
  }).visit(program)
  return found.toSorted((one, other) => one.start - other.start)
}

/** The name of a parameter, or the names of the members that it is taken apart into. */
function namesIn(node: Node): readonly string[] {
  const target = targetOf(node)
  if (target.type === 'Identifier') return [target.name]
  if (target.type !== 'ObjectPattern') return []
  return target.properties.flatMap((each) =>
    each.type === 'Property' && each.key.type === 'Identifier' ? [each.key.name] : [],
  )
}

function isPattern(node: Node): boolean {
  return targetOf(node).type.endsWith('Pattern')
}

/** Returns the target of a parameter, without its default. */
function targetOf(node: Node): Node {
  if (node.type === 'TSParameterProperty') return targetOf(node.parameter)
  if (node.type === 'AssignmentPattern') return targetOf(node.left)
  return node.type === 'RestElement' ? targetOf(node.argument) : node
}
