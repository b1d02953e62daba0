import { parseSync } from 'oxc-parser'

/** More steps than a reader keeps in mind. */
export const maxSteps = 25

/** A function, or a class, whose documentation has the tag `@step`: one step of a call. */
export interface Step {
  readonly name: string
  readonly file: string
  /** Its first line and its last. */
  readonly from: number
  readonly to: number
  /** The first sentence of its documentation. */
  readonly adds: string
}

/** A place in the sources, as `file:line`. */
export type Position = string

/** Finds the steps that a source file declares. */
export function stepsIn(file: string, source: string): Step[] {
  const { program, comments } = parseSync(file, source)
  const declarations = [...declarationsIn(program)].toSorted((a, b) => a.start - b.start)
  return comments
    .filter(({ type, value }) => type === 'Block' && /@step\b/.test(value))
    .map(({ value, end }) => {
      const found = declarations.find(({ start }) => start >= end)
      if (found === undefined) throw new Error(`${file}: a comment with @step documents no function`)
      const [from, to] = [lineOf(source, found.start), lineOf(source, found.end)]
      return { name: nameOf(found), file, from, to, adds: firstSentence(value) }
    })
}

/** The steps in the order in which a call enters them first. @throws Error for a step that it does not enter, and for too many */
export function spineOf(steps: readonly Step[], entered: readonly Position[]): readonly Step[] {
  const order = steps.map((step) => ({ step, at: entered.findIndex((position) => isWithin(position, step)) }))
  const missed = order.filter(({ at }) => at < 0).map(({ step }) => `${step.file} ${step.name}`)
  if (missed.length > 0) throw new Error(`the call does not enter these steps: ${missed.join(', ')}`)
  if (steps.length > maxSteps) throw new Error(`${steps.length} steps: at most ${maxSteps} are a spine`)
  return order.toSorted((a, b) => a.at - b.at).map(({ step }) => step)
}

/** The steps as a table of Markdown. */
export function spineTable(steps: readonly Step[]): string {
  const rows = steps.map(
    ({ name, file, adds }, index) => `| ${index + 1} | \`${name}\` | \`${file}\` | ${adds} |`,
  )
  return ['| | function | file | what it adds |', '|---|---|---|---|', ...rows].join('\n')
}

function isWithin(position: Position, { file, from, to }: Step): boolean {
  const colon = position.lastIndexOf(':')
  const line = Number(position.slice(colon + 1))
  return position.slice(0, colon) === file && line >= from && line <= to
}

/** Returns the comment without its marks, up to the first full stop before a blank or the end. */
function firstSentence(comment: string): string {
  const text = comment
    .replace(/^\s*\*+/gm, '')
    .replace(/\s*@[\s\S]*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
  const end = /[.](?= |$)/.exec(text)
  const sentence = end === null ? text : text.slice(0, end.index)
  if (sentence === '') throw new Error(`a step has no sentence that says what it adds: ${comment}`)
  return sentence
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}

interface Declaration {
  readonly type?: string
  readonly start: number
  readonly end: number
  readonly id?: { readonly name?: string } | null
  readonly key?: { readonly name?: string }
}

const declaring = /^(FunctionDeclaration|ClassDeclaration|MethodDefinition)$/

function* declarationsIn(node: unknown): Generator<Declaration> {
  if (typeof node !== 'object' || node === null) return
  const declaration = node as Declaration // A node of the parser, or a list of them.
  if (declaring.test(declaration.type ?? '')) yield declaration
  for (const child of Object.values(node)) yield* declarationsIn(child)
}

function nameOf({ id, key }: Declaration): string {
  return id?.name ?? key?.name ?? 'default'
}
