/** Seconds for which a log-in or a call of `proofs` counts as recent. */
export const recentProofSeconds = 600

/**
 * Reasons for a call without a recent proof. Anyone with a stolen session can make such a call, so that none of them may lead to
 * another way into an account, or to a secret of the installation.
 */
export const callsWithoutProof = {
  /** The one reason of calls that do not act: no row changes and no upstream is called, whatever the method. */
  reads: 'Only reads: changes no record, calls no upstream, and marks the secrets that it returns.',
  proves: 'Is a log-in or a proof itself, or a step of one, and checks what it is given.',
  signed: 'A signature opens it; no session does.',
  withdraws: 'Takes access away and gives none.',
  uses: 'Uses or arranges what the caller has: keys, balance, names, warnings. It opens the account for nobody.',
  operates:
    'Runs the gateway: channels, prices, codes, records. It opens no account and returns no secret of others.',
} as const
export type CallWithoutProof = keyof typeof callsWithoutProof

/** Asks for a recent proof in some uses of a call. */
export interface FieldProof {
  /** Only where this field of the body is not empty. */
  readonly forField?: string
  /** Only where `forField` is one of these. */
  readonly forValues?: readonly string[]
  /**
   * A field of the body that is a proof itself, which the handler verifies: where it is not empty, the call needs no
   * other.
   */
  readonly provenBy?: string
}

/** Asks where the body names an option that does: an option has its rule, whichever call saves it. */
export interface OptionProof {
  readonly byOption: true
}

/** Asks where the handler finds this effect, by `requireProof` of its context: the body alone does not show it. */
export interface EffectProof {
  readonly forEffect: 'sends-stored-keys-elsewhere' | 'reverts-what-was-proven' | 'changes-a-proven-option'
}

/** Demand of a call for a recent proof, or the reason for none. */
export type RecentProof = true | FieldProof | OptionProof | EffectProof | CallWithoutProof

interface Ruled {
  readonly recentProof: RecentProof
}

/**
 * Decides whether a call does more than to read: changes a record, sends something, or calls an upstream. Access tokens of scope `read`
 * are refused it, and other sites cannot make a browser send it.
 */
export function acts({ recentProof }: Ruled): boolean {
  return recentProof !== 'reads'
}

/** The conditional rule of a call; `true` for one that always asks, `undefined` for one that never does. */
export function proofConditionOf({ recentProof }: Ruled) {
  return typeof recentProof === 'string' ? undefined : recentProof
}

/** Decides whether every use of a call demands a recent proof. */
export function alwaysAsksForProof({ recentProof }: Ruled): boolean {
  if (typeof recentProof !== 'object') return recentProof === true
  return 'provenBy' in recentProof && recentProof.forField === undefined
}

/** Reasons for saving an option without a recent proof. */
export const optionsWithoutProof = {
  operates:
    'Runs the gateway: what it offers, charges, logs and limits. It names no server that gets secrets or logs people in.',
  displays: 'A text or a look of the pages; nothing of it runs with the rights of the console.',
  consented: 'Names servers that get a key only with the consent of its owner.',
  unused: 'Is stored and has no effect.',
} as const
export type OptionWithoutProof = keyof typeof optionsWithoutProof
/** Demand of an option for a recent proof, or the reason for none. */
export type OptionRule = true | OptionWithoutProof
