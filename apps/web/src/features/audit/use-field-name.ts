import { useTranslation } from 'react-i18next'
import { humanize } from './difference.ts'

/** Returns a function that names a field of a record. Fields of a setting are models and groups: their names stay as they are. */
export function useFieldName(targetKind: string): (field: string) => string {
  const { t, i18n } = useTranslation(['audit', 'fields'])
  return (field) => {
    // Each field with a text of its own has a name; the server decides which fields there are.
    if (i18n.exists(`field.${field}`, { ns: 'audit' })) return t(`field.${field as 'key'}`)
    if (i18n.exists(field, { ns: 'fields' })) return t(`fields:${field as 'name'}`)
    return targetKind === 'option' ? field : humanize(field)
  }
}
