import { type LiteLlmProvider, liteLlmProviderOf } from '@tollgate/providers/litellm'
import type { Note, SourceChannel, SourceRow } from '../import-source.ts'
import { type DeploymentParameters, type Environment, type ModelInfo, resolved } from './config-file.ts'

/** A model of LiteLLM at one provider. */
export interface Deployment {
  /** Name for callers. */
  readonly name: string
  readonly parameters: DeploymentParameters
  readonly info: ModelInfo
  readonly isBlocked: boolean
  /** Reasons for which parts could not be opened. */
  readonly faults: readonly string[]
}

export interface ChannelDependencies {
  readonly environment: Environment
  /** A keyed hash. */
  readonly hash: (text: string) => string
  readonly now: number
}

interface Channel {
  readonly provider: LiteLlmProvider
  readonly parameters: DeploymentParameters
  readonly isBlocked: boolean
  readonly key: string
  readonly other: string
  /** The name at the provider, by the name that callers use. */
  readonly models: Map<string, string>
  readonly faults: Set<string>
}

/**
 * One channel for the models that one provider serves with one key at one address. A name that means two models there is served by
 * two channels.
 */
export function channelsOf(
  deployments: readonly Deployment[],
  { environment, hash, now }: ChannelDependencies,
): readonly SourceRow<SourceChannel>[] {
  const channels = new Map<string, Channel[]>()
  const rows: SourceRow<SourceChannel>[] = []
  for (const deployment of deployments) {
    const provider = liteLlmProviderOf(deployment.parameters.model, deployment.parameters.custom_llm_provider)
    const leftOut = refusalOf(deployment, provider)
    if (leftOut !== undefined) rows.push({ id: `model ${deployment.name}`, leftOut })
    else if (typeof provider !== 'string')
      takeDeployment(channels, channelOf(deployment, provider, environment), deployment, hash)
  }
  for (const [id, same] of channels)
    rows.push(...same.map((channel, index) => ({ id: `${id} ${index + 1}`, ...rowOf(channel, now) })))
  return rows
}

function refusalOf({ name, parameters }: Deployment, provider: LiteLlmProvider | string): Note | undefined {
  const example = `${name}: ${parameters.model}`
  if (parameters.model === '') return { reason: 'it names no model', example: name }
  if (`${name}${parameters.model}`.includes('*'))
    return { reason: 'names with * are not known here', example }
  if (typeof provider === 'string') return { reason: 'its provider is not known here', example }
  return undefined
}

function channelOf(deployment: Deployment, provider: LiteLlmProvider, environment: Environment): Channel {
  const faults = new Set(deployment.faults)
  const read = (value: string) => {
    const { text, missing } = resolved(value, environment)
    if (missing !== undefined) faults.add(`${missing} is not set in the environment`)
    return text
  }
  const provided = deployment.parameters
  const parameters = {
    ...provided,
    api_base: read(provided.api_base || provided.base_url),
    api_version: read(provided.api_version),
    organization: read(provided.organization),
    vertex_location: read(provided.vertex_location),
  }
  const defaultKey = `${provider.name.toUpperCase()}_API_KEY`
  const key =
    keyOf(provided, provider, read) || (provided.api_key === '' ? (environment[defaultKey] ?? '') : '')
  if (key === '' && provider.needsKey && faults.size === 0)
    faults.add(`it names no key, and ${defaultKey} is not set in the environment`)
  const { isBlocked } = deployment
  const other =
    provider.type === 41 ? parameters.vertex_location : provider.type === 3 ? parameters.api_version : ''
  return { provider, parameters, isBlocked, key, other, models: new Map(), faults }
}

/** The key in the shape of the channel's type. */
function keyOf(
  provided: DeploymentParameters,
  { type }: LiteLlmProvider,
  read: (value: string) => string,
): string {
  if (type === 33 && provided.aws_access_key_id !== '')
    return [provided.aws_access_key_id, provided.aws_secret_access_key, provided.aws_region_name]
      .map(read)
      .join('|')
  if (type === 41) {
    const { vertex_credentials: account } = provided
    return typeof account === 'string' ? read(account) : account == null ? '' : JSON.stringify(account)
  }
  return read(provided.api_key)
}

/** Adds the model to the first channel like it where its name is free. */
function takeDeployment(
  channels: Map<string, Channel[]>,
  channel: Channel,
  { name }: Deployment,
  hash: ChannelDependencies['hash'],
): void {
  const { provider, parameters, key, other, isBlocked, faults } = channel
  // The id is stored in clear.
  const parts = [
    provider.name,
    parameters.api_base,
    other,
    isBlocked ? 'blocked' : '',
    hash(key).slice(0, 16),
  ]
  const id = parts.filter((part) => part !== '').join(' ')
  const same = channels.get(id) ?? []
  const free = same.find(({ models }) => [undefined, provider.model].includes(models.get(name)))
  const home = free ?? channel
  if (free === undefined) same.push(channel)
  home.models.set(name, provider.model)
  for (const fault of faults) home.faults.add(fault)
  channels.set(id, same)
}

function rowOf(channel: Channel, now: number): { value: SourceChannel; changes: Note[] } {
  const { provider, parameters, key, other, models, faults, isBlocked } = channel
  const mapped = [...models].filter(([name, model]) => name !== model)
  const host = URL.canParse(parameters.api_base) ? ` ${new URL(parameters.api_base).host}` : ''
  const name = `${provider.name}${host}`.slice(0, 100)
  const limits = {
    ...(parameters.rpm && { requests_per_minute: parameters.rpm }),
    ...(parameters.tpm && { tokens_per_minute: parameters.tpm }),
  }
  return {
    changes: [...faults].map((fault) => ({
      reason: 'disabled here until it is mended',
      example: `${name}: ${fault}`,
    })),
    value: {
      type: provider.type,
      name,
      keys: key,
      status: faults.size > 0 || isBlocked ? 'disabled' : 'enabled',
      usedQuota: 0,
      createdAt: now,
      fields: {
        models: [...models.keys()].join(','),
        group: 'default',
        base_url: parameters.api_base,
        openai_organization: parameters.organization,
        other,
        model_mapping: mapped.length === 0 ? '' : JSON.stringify(Object.fromEntries(mapped)),
        // Limits hold for a deployment there, and for a channel here.
        setting: models.size > 1 || Object.keys(limits).length === 0 ? '' : JSON.stringify(limits),
        weight: Math.round(parameters.weight ?? 1),
      },
    },
  }
}
