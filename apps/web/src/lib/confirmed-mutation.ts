import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { confirm, type Question } from './confirm.ts'

/** A change that asks before it happens: `run` shows the question and calls the server when the person agrees. */
export function useConfirmedMutation<Data>(question: Question, options: UseMutationOptions<Data>) {
  const { mutate, isPending } = useMutation(options)
  async function ask(): Promise<void> {
    if (await confirm(question)) mutate()
  }
  return { run: () => void ask(), isPending }
}
