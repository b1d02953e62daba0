import { readFileSync } from 'node:fs'
import { YAML } from 'bun'
import { z } from 'zod'
import { ImportError } from '../import-source.ts'

const text = z.coerce
  .string()
  .nullish()
  .transform((value) => value ?? '')
const price = z.coerce.number().nonnegative().optional().catch(undefined)

/** Parameters of one deployment, as far as they are taken. */
export const deploymentParameters = z.looseObject({
  model: text,
  custom_llm_provider: text,
  api_key: text,
  api_base: text,
  base_url: text,
  api_version: text,
  organization: text,
  litellm_credential_name: text,
  aws_access_key_id: text,
  aws_secret_access_key: text,
  aws_region_name: text,
  vertex_credentials: z.unknown().optional(),
  vertex_location: text,
  input_cost_per_token: price,
  output_cost_per_token: price,
  cache_read_input_token_cost: price,
  rpm: z.coerce.number().int().nonnegative().optional().catch(undefined),
  tpm: z.coerce.number().int().nonnegative().optional().catch(undefined),
  weight: z.coerce.number().nonnegative().optional().catch(undefined),
})
export type DeploymentParameters = z.output<typeof deploymentParameters>

export const modelInfo = z
  .looseObject({
    input_cost_per_token: price,
    output_cost_per_token: price,
    cache_read_input_token_cost: price,
  })
  .nullish()
  .transform((info) => info ?? {})
export type ModelInfo = z.output<typeof modelInfo>

const configFile = z.looseObject({
  model_list: z
    .array(
      z.looseObject({
        model_name: z.coerce.string(),
        litellm_params: deploymentParameters,
        model_info: modelInfo,
      }),
    )
    .nullish()
    .transform((list) => list ?? []),
  general_settings: z
    .looseObject({ master_key: text })
    .nullish()
    .transform((settings) => settings ?? { master_key: '' }),
})
export type LiteLlmConfig = z.output<typeof configFile>

/** Reads a config.yaml. Throws ImportError with one sentence. */
export function readConfigFile(file: string): LiteLlmConfig {
  let parsed: unknown
  try {
    parsed = YAML.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw new ImportError(
      code === 'ENOENT' ? `There is no file ${file} to import.` : `${file} is no YAML file that can be read.`,
    )
  }
  const config = configFile.safeParse(parsed)
  if (config.success) return config.data
  const [issue] = config.error.issues
  throw new ImportError(`${file} is no config.yaml of LiteLLM: ${issue?.path.join('.')} ${issue?.message}.`)
}

/** The sections that are not taken. */
export function otherSections(config: LiteLlmConfig): readonly string[] {
  return Object.keys(config).filter((name) => name !== 'model_list')
}

const reference = /^os\.environ\/(.+)$/

/** Names variables that are named by a config and not set here. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The text, or what it refers to; `missing` names the variable that is not set. */
export function resolved(value: string, environment: Environment): { text: string; missing?: string } {
  const name = reference.exec(value)?.[1]
  if (name === undefined) return { text: value }
  const text = environment[name]
  return text === undefined || text === '' ? { text: '', missing: name } : { text }
}
