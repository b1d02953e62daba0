import { useTranslation } from 'react-i18next'
import type { Problems } from '../../../components/form/index.ts'
import { problemsOf, type StoredLimits } from './problems.ts'
import type { TokenForm } from './token-form.ts'

/**
 * Sentences for what keeps the form from being saved.
 * @param stored the key that is edited; `undefined` for a new one
 */
export function useCheckToken(stored?: StoredLimits): (form: TokenForm) => Problems<TokenForm> {
  const { t } = useTranslation('tokens')
  return (form) =>
    Object.fromEntries(
      Object.entries(problemsOf(form, Date.now() / 1000, stored)).map(([name, { code, ...details }]) => [
        name,
        t(`problem.${code}`, details),
      ]),
    )
}
