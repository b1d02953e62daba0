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

/** Returns what a path of another server stands for here; `undefined` for a path of our own, and an unknown one. */
export function ownPath(path: string): OwnPath | undefined {
  for (const [other, own] of otherPaths) {
    const match = other.exec(path)
    if (match !== null) return own(match)
  }
  return undefined
}
