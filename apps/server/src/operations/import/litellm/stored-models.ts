import type { ForeignDatabase } from '../../../store/engine/foreign/foreign-database.ts'
import { deploymentParameters, modelInfo } from './config-file.ts'
import { decryptValue } from './decrypt.ts'
import type { Deployment } from './deployments.ts'
import { modelRow, tables } from './tables.ts'

const credentialsTable = 'LiteLLM_CredentialsTable'

/** The models that LiteLLM keeps in its database, whose texts it has sealed with the salt key. */
export async function storedDeployments(database: ForeignDatabase, saltKey: string): Promise<Deployment[]> {
  if (!(await database.has(tables.models))) return []
  const credentials = await readCredentials(database, saltKey)
  const deployments: Deployment[] = []
  for await (const rows of database.rows(tables.models, 'model_id'))
    for (const row of rows) deployments.push(await readModel(row, saltKey, credentials))
  return deployments
}

type Texts = Readonly<Record<string, unknown>>

async function readModel(
  row: unknown,
  saltKey: string,
  credentials: ReadonlyMap<string, Texts>,
): Promise<Deployment> {
  const { model_name, litellm_params, model_info, blocked } = modelRow.parse(row)
  const opened = await openTexts(objectOf(litellm_params), saltKey)
  const own = deploymentParameters.parse(opened.texts)
  const credential = credentials.get(own.litellm_credential_name) ?? {}
  return {
    name: model_name,
    parameters: deploymentParameters.parse({ ...credential, ...opened.texts }),
    info: modelInfo.catch({}).parse(objectOf(model_info)),
    isBlocked: blocked,
    faults: opened.isOpen
      ? []
      : [`its parameters are sealed: set LITELLM_SALT_KEY to the salt key of LiteLLM`],
  }
}

async function readCredentials(database: ForeignDatabase, saltKey: string): Promise<Map<string, Texts>> {
  const credentials = new Map<string, Texts>()
  if (!(await database.has(credentialsTable))) return credentials
  for await (const rows of database.rows(credentialsTable, 'credential_id'))
    for (const { credential_name, credential_values } of rows) {
      const { texts } = await openTexts(objectOf(credential_values), saltKey)
      credentials.set(String(credential_name), texts)
    }
  return credentials
}

/** JSON columns come as objects or as texts. */
function objectOf(value: unknown): Texts {
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value || '{}') : value
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
}

/** Opens texts; without the salt key they stay as they are: older versions stored them in clear. */
async function openTexts(values: Texts, saltKey: string): Promise<{ texts: Texts; isOpen: boolean }> {
  const texts: Record<string, unknown> = {}
  let isOpen = true
  for (const [name, value] of Object.entries(values)) {
    const opened = typeof value === 'string' ? await decryptValue(value, saltKey) : undefined
    texts[name] = opened ?? value
    if (opened === undefined && typeof value === 'string' && looksSealed(value)) isOpen = false
  }
  return { texts, isOpen }
}

/** Names of models and addresses have a dot, a slash or a colon early; what is sealed is long and has none but `v3:gcm:`. */
function looksSealed(value: string): boolean {
  return /^v[23]:gcm:/.test(value) || /^[A-Za-z0-9+/_-]{54,}={0,2}$/.test(value)
}
