/** By what a call is known to belong to those before it. */
export type AffinitySource = 'prompt_cache_key' | 'session_id' | 'user_id' | 'conversation'

/** Calls of one session go to one channel and key, whose upstream then has their beginning in its prompt cache. */
export interface Affinity {
  readonly by: AffinitySource
  /** The same for every call of the session, an unsigned whole number of 32 bits. */
  readonly seed: number
}

/** The same, with the channel that is the session's own. */
export interface ChannelAffinity extends Affinity {
  readonly channelId: number
}
