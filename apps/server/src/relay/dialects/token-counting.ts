import type { Delivered, Prompt } from '@tollgate/formats'

/** Counting, as billing does it: slow and exact, or at once and never too low. */
export interface TokenCounting {
  countPrompt(model: string, prompt: Prompt): Promise<number>
  countDelivered(model: string, delivered: Delivered): Promise<number>
  roughPrompt(model: string, prompt: Prompt): number
}
