import type { SettingProblem } from '@tollgate/api/settings'
import { useTranslation } from 'react-i18next'
import { localList } from '../../i18n/local-list.ts'

/** The sentence beside a field for a value that the settings catalogue refuses. */
export function useProblemText(): (problem: SettingProblem) => string {
  const { t, i18n } = useTranslation('settings')
  return ({ code, details }) =>
    // The catalogue may know refusals that have no text; the type needs one that has.
    i18n.exists(`problem.${code}`, { ns: 'settings' })
      ? t(`problem.${code as 'option_not_flag'}`, localDetails(details))
      : t('save.check')
}

/** Returns the details of a sentence with each list as the reader's language enumerates it. */
function localDetails(details: SettingProblem['details']): Record<string, string | number> {
  const entries = Object.entries(details)
  return Object.fromEntries(
    entries.map(([name, detail]) => [name, typeof detail === 'object' ? localList(detail) : detail]),
  )
}
