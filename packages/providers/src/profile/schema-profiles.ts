import { type SchemaProfile, schemaDialects } from '@tollgate/formats'
import type { SchemaName } from './target-profile.ts'

const { jsonSchema, objectTool, openAiTool, openAiOutput, openAiStrict } = schemaDialects
const { groqStrict, cerebrasStrict, xai, moonshot } = schemaDialects

/** Vendors that document no limits: a function takes an object, as at OpenAI, and `strict` goes as it comes. */
const plain: SchemaProfile = { tools: objectTool, output: jsonSchema }

/** Readers of JSON Schema in OpenAI's formats, by their names in profiles; the dialects hold sources and dates. */
const profiles: Readonly<Partial<Record<SchemaName, SchemaProfile>>> = {
  openai: {
    tools: openAiTool,
    strictTools: openAiStrict,
    output: openAiOutput,
    strictOutput: openAiStrict,
  },
  groq: { ...plain, strictTools: groqStrict, strictOutput: groqStrict },
  cerebras: { ...plain, strictTools: cerebrasStrict, strictOutput: cerebrasStrict },
  xai: { tools: xai, output: xai },
  moonshot: { tools: moonshot, output: moonshot },
  grammar: { tools: jsonSchema, output: jsonSchema },
}

/** Returns the dialects of schemas that a target of OpenAI's formats reads. */
export function schemaProfileOf(schema: SchemaName | undefined): SchemaProfile {
  return (schema === undefined ? undefined : profiles[schema]) ?? plain
}
