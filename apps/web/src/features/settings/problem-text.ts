import type { SettingProblem } from '@tollgate/api/settings'
import { useTranslation } from 'react-i18next'
import { localDetails } from '../../i18n/local-list.ts'

/** The sentence beside a field for a value that the settings catalogue refuses. */
export function useProblemText(): (problem: SettingProblem) => string {
  const { t, i18n } = useTranslation('settings')
  return ({ code, details }) =>
    // The catalogue may know refusals that have no text; the type needs one that has.
    i18n.exists(`problem.${code}`, { ns: 'settings' })
      ? t(`problem.${code as 'option_not_flag'}`, localDetails(details))
      : t('save.check')
}
