import { type ChannelName, type ChatModel, channelsOf } from './scene.ts'

/** Model of the scene: the walk's own idea of it, updated by its commands. */
export interface Model {
  keyEnabled: boolean
  /** Remaining quota of the key; `undefined` while it is unlimited. */
  remaining: number | undefined
  readonly disabled: Set<ChannelName>
  ratio: number
  /** Balance of the caller. */
  balance: number
  /** Charges of the expected rows, in any order. */
  readonly charges: number[]
  /** Calls that the vendor was paid for and the caller was not charged for, as the rules allow. */
  forgiven: number
}

export const firstModel = (balance: number): Model => ({
  keyEnabled: true,
  remaining: undefined,
  disabled: new Set(),
  ratio: 1,
  balance,
  charges: [],
  forgiven: 0,
})

export function charge(model: Model, quota: number): void {
  model.charges.push(quota)
  model.balance -= quota
  if (model.remaining !== undefined) model.remaining -= quota
}

export function isServed(model: Model, chatModel: ChatModel): boolean {
  return channelsOf[chatModel].some((name) => !model.disabled.has(name))
}
