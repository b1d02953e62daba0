import { openaiRatios } from './openai-ratios.ts'
import { otherRatios } from './other-ratios.ts'

/** Price of a prompt token by model name, while the operator sets nothing else. */
export const defaultModelRatios: Readonly<Record<string, number>> = { ...openaiRatios, ...otherRatios }
