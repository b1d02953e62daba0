import { useMutation } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { testDraft } from '../api.ts'
import { type ChannelForm, draftBodyOf } from './channel-form.ts'

/**
 * Tries the form against its upstream, without saving it. A result counts while the form is as it was tried.
 * @param onRefused what the server refuses before it sends anything
 */
export function useDraftTest(
  form: ChannelForm,
  channel: Channel | undefined,
  onRefused: (error: Error) => void,
) {
  const body = draftBodyOf(form, channel)
  const test = useMutation({ mutationFn: testDraft, onError: onRefused, meta: { silent: true } })
  const isCurrent = JSON.stringify(test.variables) === JSON.stringify(body)
  return {
    isPending: test.isPending,
    result: isCurrent ? test.data : undefined,
    start: () => test.mutate(body),
  }
}
