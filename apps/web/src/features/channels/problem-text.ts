import { channelNameMaxLength, priorityMin } from '@tollgate/api'
import { keyShape } from '@tollgate/api/channel-types'
import { useTranslation } from 'react-i18next'
import type { ChannelForm } from './form/channel-form.ts'
import { firstKeyFault } from './form/key-fault.ts'
import type { Problem } from './form/problems.ts'

/** The sentence of a problem, with the limits it speaks of, and which key of a form it is about. */
export function useProblemText(): (problem: Problem, form?: Pick<ChannelForm, 'keys' | 'type'>) => string {
  const { t } = useTranslation('channels')
  return (problem, form) =>
    t(`problem.${problem}`, {
      max: channelNameMaxLength,
      min: priorityMin,
      line: (form && firstKeyFault(form)?.line) ?? 1,
      format: keyShape(form?.type ?? 0),
    })
}
