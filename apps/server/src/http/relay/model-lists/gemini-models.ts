import { modelFacts } from '@tollgate/api'
import { invalidParameter, pageSize } from './paging.ts'

const sizes = { usual: 50, max: 1000 } as const
const embedding = ['embedContent', 'batchEmbedContents', 'countTokens'] as const
const chat = ['generateContent', 'streamGenerateContent', 'countTokens'] as const

/** https://ai.google.dev/api/models#Model */
export function geminiModel(id: string) {
  const facts = modelFacts(id)
  return {
    name: `models/${id}`,
    baseModelId: id,
    version: '001',
    displayName: id,
    ...(facts?.contextSize !== undefined && { inputTokenLimit: facts.contextSize }),
    ...(facts?.maxOutputTokens !== undefined && { outputTokenLimit: facts.maxOutputTokens }),
    supportedGenerationMethods: methodsOf(id),
  }
}

function methodsOf(id: string): readonly string[] {
  const capabilities = modelFacts(id)?.capabilities
  const embeds = capabilities === undefined ? /embed/i.test(id) : capabilities.includes('embedding')
  return embeds ? embedding : chat
}

/** One page. Its token is the last model of the page before. https://ai.google.dev/api/models#method:-models.list */
export function geminiList(models: readonly string[], query: URLSearchParams) {
  const size = pageSize(query, 'pageSize', sizes)
  const start = startOf(models, query.get('pageToken') ?? '')
  const page = models.slice(start, start + size)
  const last = page.at(-1)
  const hasMore = last !== undefined && start + size < models.length
  return { models: page.map(geminiModel), ...(hasMore && { nextPageToken: tokenOf(last) }) }
}

function tokenOf(model: string): string {
  return Buffer.from(model).toString('base64url')
}

/** A model that has left the list since still has its place in it. */
function startOf(models: readonly string[], token: string): number {
  if (token === '') return 0
  const last = Buffer.from(token, 'base64url').toString()
  if (tokenOf(last) !== token)
    throw invalidParameter('pageToken', 'send the nextPageToken of the page before')
  const next = models.findIndex((model) => model > last)
  return next < 0 ? models.length : next
}
