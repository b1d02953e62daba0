import { type Program, Visitor } from 'oxc-parser'

/** Facts about vendors that are code instead of data. */
export interface VendorFacts {
  /** Functions that edit requests for one vendor, and edits and lacks that rows name. */
  readonly edits: readonly string[]
  /** Regular expressions that hold the name of a family of models. */
  readonly expressions: readonly string[]
}

const homes = /^packages\/(providers|formats)\/src\//
const editType = /^const (\w+): (?:RequestQuirks|OperationQuirks|MessageEdit)\b/gm
const rowEdits = /^ {2,6}(?:edits|lacks): (\[[\s\S]*?\]),$/gm
const rowEntry = /'[^']+'(?=,|\])|\{[^{}]*\}/g
const families =
  /claude|gpt|gemini|gemma|grok|qwen|glm|deepseek|kimi|llama|mistral|magistral|titan|nova|command|cohere|sonar|ernie|hunyuan|doubao|dall|veo|imagen|seedream|wan|whisper/i

/** Reads the facts of a file of the packages that know vendors; none of any other. */
export function vendorFactsIn(path: string, text: string, program: Program): VendorFacts {
  if (!homes.test(path) || !path.endsWith('.ts')) return { edits: [], expressions: [] }
  return { edits: editsIn(text), expressions: expressionsIn(program) }
}

function editsIn(text: string): readonly string[] {
  const functions = [...text.matchAll(editType)].flatMap(([, name]) => name ?? [])
  const named = [...text.matchAll(rowEdits)].flatMap(([, list = '']) => list.match(rowEntry) ?? [])
  return [...functions, ...named]
}

function expressionsIn(program: Program): readonly string[] {
  const found: string[] = []
  new Visitor({
    Literal: (node) => {
      if ('regex' in node && families.test(node.regex.pattern)) found.push(`/${node.regex.pattern}/`)
    },
  }).visit(program)
  return found
}
