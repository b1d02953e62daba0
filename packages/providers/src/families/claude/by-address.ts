import type { JsonEdits } from '@tollgate/formats'
import { noEdits } from '../../edits/json-edits.ts'
import type { ChannelTarget, Operation, OperationQuirks, Target } from '../../provider.ts'
import type { ClaudeHost } from './betas.ts'
import { fitToClaudeHost } from './host-fit.ts'
import { findClaudeModel } from './model-names.ts'

interface HostAddress {
  readonly begins?: string
  readonly ends: string
  readonly host: ClaudeHost
}

/**
 * Hosts that serve Anthropic's own paths, so that a channel reaches them by its address.
 * https://platform.claude.com/docs/en/build-with-claude/claude-in-microsoft-foundry, …/claude-in-amazon-bedrock
 */
const addresses: readonly HostAddress[] = [
  { ends: '.services.ai.azure.com', host: 'foundry' },
  { ends: '.openai.azure.com', host: 'foundry' },
  { ends: '.cognitiveservices.azure.com', host: 'foundry' },
  { begins: 'bedrock-mantle.', ends: '.api.aws', host: 'bedrock' },
]

const hostName = /^https?:\/\/([^/:?#]+)/i

/** Returns the host of Claude at a channel's address; `undefined` for Anthropic, and for an address of no known host. */
export function claudeHostAt({ baseUrl }: ChannelTarget): ClaudeHost | undefined {
  const name = hostName.exec(baseUrl)?.[1]?.toLowerCase() ?? ''
  return addresses.find(({ begins = '', ends }) => name.startsWith(begins) && name.endsWith(ends))?.host
}

/** The deployment that a model has at Foundry where the operator gave it no name of its own. */
function deploymentEdits(model: string): JsonEdits {
  const name = findClaudeModel(model)?.foundry ?? model
  return name === model ? noEdits : new Map([['model', JSON.stringify(name)]])
}

/** An operation of Anthropic's API at each host: without what the host does not take, and with its names of models. */
export function operationsByHost(operation: Operation): (host: ClaudeHost, target: Target) => Operation {
  const quirks: OperationQuirks = (request, model, headers) =>
    new Map([...(operation.quirks?.(request, model, headers) ?? []), ...deploymentEdits(model)])
  const bedrock = { ...operation, fit: fitToClaudeHost('bedrock') }
  const vertex = { ...operation, fit: fitToClaudeHost('vertex') }
  const mapped = { ...operation, fit: fitToClaudeHost('foundry') }
  const foundry = { ...mapped, quirks }
  // A name that the operator maps a model to is a deployment's own.
  return (host, { isMapped }) => ({ bedrock, vertex, foundry: isMapped === true ? mapped : foundry })[host]
}
