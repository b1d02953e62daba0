/** A path of this gateway. */
export interface OwnPath {
  readonly path: string
  /** The model that the other path named, escaped as it was there. */
  readonly deployment?: string
}

type Row = readonly [other: RegExp, own: (match: readonly string[]) => OwnPath]

const calls =
  /^\/(?:chat\/completions|completions|embeddings|moderations|responses(?:\/.+)?|messages(?:\/count_tokens)?|images\/(?:generations|edits|variations)|audio\/(?:speech|transcriptions|translations))\/?$/

/**
 * Paths that clients write for other servers, by what this gateway serves there. Only the address and the key of such a client can be
 * changed, not its paths.
 */
const otherPaths: readonly Row[] = [
  // Azure names a deployment, whatever the body says. https://learn.microsoft.com/azure/ai-foundry/openai/reference
  [
    /^\/openai\/deployments\/([^/]+)\/(.+)$/,
    ([, deployment = '', call]) => ({ path: `/v1/${call}`, deployment }),
  ],
  // Azure's paths without a deployment: its v1 API, and Responses, models and sessions of dated versions.
  [/^\/openai\/(?:v1\/)?(.+)$/, ([, call]) => ({ path: `/v1/${call}` })],
  // Claude's API at Microsoft Foundry, DeepSeek, Moonshot and others. https://docs.claude.com/en/docs/claude-code/microsoft-foundry
  [/^\/anthropic(\/v1\/.+)$/, ([, call = '']) => ({ path: call })],
  // https://ai.google.dev/gemini-api/docs/openai
  [/^\/v1beta\/openai\/(.+)$/, ([, call]) => ({ path: `/v1/${call}` })],
  // Clients of Google's own kit in its mode for Vertex AI. https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest
  [
    /^\/v1(?:beta1)?\/(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/google\/(models\/.+)$/,
    ([, call]) => ({ path: `/v1beta/${call}` }),
  ],
  // A base address without its version, and Azure's kit for models of all vendors.
  [calls, ([path = '']) => ({ path: `/v1${path}` })],
]

/** Decides whether a path is another server's. */
export function isOtherPath(path: string): boolean {
  return ownPath(withoutRepetition(path)) !== undefined
}

/**
 * Returns the path of this gateway that a received one stands for: the same for one of our own, and for an unknown one. Whatever goes by
 * the path (call, dialect of errors, form of lists) reads this one.
 */
export function meantPath(path: string): OwnPath {
  const single = withoutRepetition(path)
  const own = ownPath(single)
  return own === undefined ? { path: single } : { ...own, path: withoutRepetition(own.path) }
}

function ownPath(path: string): OwnPath | undefined {
  for (const [other, own] of otherPaths) {
    const match = other.exec(path)
    if (match !== null) return own(match)
  }
  return undefined
}

/** Programs whose base address has a slash or a version too many send `/v1//chat/completions`, `/v1/v1/messages`, `/v1/openai/…`. */
function withoutRepetition(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/^\/v1(?=\/(?:v1(?:beta1?|alpha)?|openai|anthropic)\/)/, '')
}
