import { Monitor, Moon, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type LanguageCode, languages } from '../../i18n/index.ts'

/** The three themes, as choices of a menu or of the phone's sheet. */
export function useThemeChoices() {
  const { t } = useTranslation()
  return [
    { value: 'light' as const, label: t('theme.light'), icon: Sun },
    { value: 'dark' as const, label: t('theme.dark'), icon: Moon },
    { value: 'system' as const, label: t('theme.system'), icon: Monitor },
  ]
}

export const languageChoices = (Object.keys(languages) as LanguageCode[]).map((value) => ({
  value,
  label: languages[value],
}))
