import { bearer } from '../../credential.ts'
import type { ProviderShape } from '../../define-provider.ts'
import { endpointUrl } from '../../endpoint-url.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'
import type { ChannelTarget } from '../../provider.ts'
import { claudeChat, claudeCounting } from './claude.ts'

const defaultVersion = '2024-05-01-preview'

const paths = { chat: '/chat/completions', embeddings: '/embeddings' } as const

/**
 * Models of others on Azure: one address for all, the body names the model. Fields that Azure does not know go on to the
 * model. https://learn.microsoft.com/en-us/rest/api/aifoundry/modelinference/
 */
const models = openAiCompatible({
  id: 'azure-ai-foundry',
  serves: ['chat', 'embeddings'],
  lacks: ['model-list'],
  url: (mode, { baseUrl, other }) => {
    const version = encodeURIComponent(other.trim() || defaultVersion)
    const root = isServerless(baseUrl) ? '' : '/models'
    return `${endpointUrl(baseUrl, root, mode === 'embeddings' ? paths.embeddings : paths.chat)}?api-version=${version}`
  },
  credential: (target) => (isServerless(target.baseUrl) ? bearer(target) : keyHeader(target)),
  headers: () => ({ 'extra-parameters': 'pass-through' }),
})

/** Claude speaks its vendor's API there, and no other. */
export const azureAiFoundry: ProviderShape = {
  ...models,
  operation: (mode, target, wanted) =>
    (mode === 'chat' ? claudeChat(target) : undefined) ?? models.operation(mode, target, wanted),
  counting: claudeCounting,
}

/** Recognises a model with a host of its own (`{name}.{region}.models.ai.azure.com`), which takes its key as a bearer token. */
function isServerless(baseUrl: string): boolean {
  return baseUrl.includes('.models.ai.azure.com')
}

function keyHeader({ key }: Pick<ChannelTarget, 'key'>): Readonly<Record<string, string>> {
  return key === '' ? {} : { 'api-key': key }
}
