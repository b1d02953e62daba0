import { channelNameMaxLength, priorityMinimum } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import type { Problem } from './form/problems.ts'

/** The sentence of a problem, with the limits it speaks of. */
export function useProblemText(): (problem: Problem) => string {
  const { t } = useTranslation('channels')
  return (problem) => t(`problem.${problem}`, { max: channelNameMaxLength, min: priorityMinimum })
}
