import type { ProviderProfile } from './profile/target-profile.ts'

/** What callers ask for; one word per family of public endpoints. */
export type RelayMode =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'moderations'
  | 'rerank'
  | 'images'
  | 'image-edits'
  | 'image-variations'
  | 'speech'
  | 'transcriptions'
  | 'translations'

/** Modes whose response is text, or numbers for a text. */
export const textModes: readonly RelayMode[] = ['chat', 'completions', 'embeddings']

/** Every mode: of upstreams that offer, or pass on, whatever there is. */
export const allModes: readonly RelayMode[] = [
  ...textModes,
  'moderations',
  'rerank',
  'images',
  'image-edits',
  'image-variations',
  'speech',
  'transcriptions',
  'translations',
]

/** Every mode but these. */
export function allModesBut(...modes: readonly RelayMode[]): readonly RelayMode[] {
  return allModes.filter((mode) => !modes.includes(mode))
}

/** Meaning of a channel's free field: the console names it by its kind, and the kind decides which values are refused. */
export interface FreeField {
  readonly kind:
    | 'apiVersion'
    | 'anthropicVersion'
    | 'geminiVersion'
    | 'modelVersion'
    | 'knowledgeBase'
    | 'application'
    | 'account'
    | 'region'
    | 'plugin'
    | 'general'
  readonly hint: string
  /** The meaning of an empty field. */
  readonly standard?: string
}

/**
 * Parts of OpenAI's form that an upstream does not have: `reasoning_content` (its models may think inside of `<think>`), or a list of
 * its models. Its profile decides what its requests may hold. What its requests may hold is its profile's to say.
 */
export type Lack = 'reasoning_content' | 'model-list'

/** Forms of modes beside chat that a row may name; `modes/named-forms.ts` has their codecs. */
export type FormName = 'jina-like' | 'together' | 'voyage' | 'xai'

/** Address of an account's balance, which one GET reads. */
export interface BalanceEndpoint {
  /** Under the base URL; one that begins with a version replaces the version of the base URL. */
  readonly path: string
  /** Path of the amount in the response: `data.totalBalance`. */
  readonly field: string
  /** Value of `code` in a response that succeeded. */
  readonly success?: number
}

/** An upstream that speaks OpenAI's form, as data. Everything left out is as at OpenAI. */
export interface OpenAiForm {
  readonly serves: readonly RelayMode[]
  readonly lacks?: readonly Lack[]
  /** Path under the host that the endpoints live in; `/v1` when not said. */
  readonly root?: string
  /** Paths under the root that differ from OpenAI's. */
  readonly paths?: { readonly [Mode in RelayMode]?: string }
  /** Other APIs of OpenAI's, at their usual paths. */
  readonly also?: readonly ('responses' | 'realtime')[]
  /** Modes that it speaks in a form of its own. */
  readonly forms?: { readonly [Mode in RelayMode]?: FormName }
  readonly balance?: BalanceEndpoint
}

/**
 * A channel type and its provider, as plain data. `packages/api` derives the console's channel types from it, so that a
 * row and the files it imports hold no code. A row with `serves` is a complete provider; a row without has a folder
 * `vendors/<id>/`.
 */
export interface ProviderRow extends Partial<OpenAiForm> {
  /** Number of the channel type in the console's calls and in the database. */
  readonly type: number
  /** The provider: its page in docs/providers, its folder in `vendors/`. Two types may share one. */
  readonly id: string
  /** Name that the console shows. */
  readonly name: string
  /** Official address without a trailing slash; empty where the operator must give one. */
  readonly baseUrl: string
  /** The kind of a channel's address when it is not a host: the endpoint of a resource, or a complete address. */
  readonly address?: 'endpoint' | 'complete'
  /** Description of a key, shown in the form. A key must have all parts between bars. */
  readonly key: string
  readonly other?: FreeField
  /** Owner of its models in `/v1/models`; the id when not said. */
  readonly owner?: string
  /** Channels may name an organization of the account. */
  readonly organization?: true
  /** Key of the note that the console's form shows for the type. */
  readonly note?: 'azure' | 'custom' | 'dify' | 'suno'
  /** A service of the past: old channels keep working, new ones are not offered. */
  readonly legacy?: true
  /** Models that such a channel usually serves, with blanks between their names. */
  readonly models?: string
  /** Address of the vendor's documentation of its API. */
  readonly source?: string
  /** Facts of what the upstream accepts; columns left out are unknown. A profile with families of models stands in `profile/rows`. */
  readonly profile?: Partial<ProviderProfile>
}
