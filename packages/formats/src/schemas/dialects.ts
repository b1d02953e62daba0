import type { SchemaDialect } from '../canonical/schema-dialect.ts'
import { claudeOutput, claudeStrictTool, claudeTool } from './dialects/claude.ts'
import { geminiOpenApi, geminiOpenApiTool, geminiOutput, geminiTool } from './dialects/gemini.ts'
import { cerebrasStrict, groqStrict, openAiOutput, openAiStrict, openAiTool } from './dialects/open-ai.ts'
import { jsonSchema, moonshot, novaTool, objectTool, xai } from './dialects/others.ts'

/**
 * Parts of JSON Schema that targets read, by the vendor that documents it. The sources say what is refused; keywords that a
 * vendor ignores are left out as well, so that the caller learns of it.
 */
export const schemaDialects = {
  jsonSchema,
  objectTool,
  openAiTool,
  openAiOutput,
  openAiStrict,
  claudeTool,
  claudeOutput,
  claudeStrictTool,
  geminiTool,
  geminiOutput,
  geminiOpenApi,
  geminiOpenApiTool,
  novaTool,
  groqStrict,
  cerebrasStrict,
  xai,
  moonshot,
} as const satisfies Readonly<Record<string, SchemaDialect>>
