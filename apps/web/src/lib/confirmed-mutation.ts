import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { confirm, type Question } from './confirm.ts'

/** A mutation that asks first: `run` shows the question and calls the server when the person agrees. */
export function useConfirmedMutation<Data>(question: Question, options: UseMutationOptions<Data>) {
  const mutation = useMutation(options)
  async function ask(): Promise<void> {
    if (await confirm(question)) mutation.mutate()
  }
  return { ...mutation, run: () => void ask() }
}
