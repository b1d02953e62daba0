import { Languages, Moon, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, setLanguage } from '../../i18n/index.ts'
import { setTheme, useTheme } from '../../lib/browser/theme.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu, menuChoice } from '../ui/overlay/menu.tsx'
import { languageChoices, useThemeChoices } from './preference-choices.ts'

/** Light, dark, or as the system. */
export function ThemeMenu() {
  const { t } = useTranslation()
  const { choice, resolved } = useTheme()
  const choices = useThemeChoices()
  return (
    <Menu
      trigger={
        <IconButton icon={resolved === 'dark' ? Moon : Sun} label={t('theme.label')} tooltip={false} />
      }
      items={[menuChoice({ label: t('theme.label'), value: choice, options: choices, choose: setTheme })]}
    />
  )
}

/** The console's language. */
export function LanguageMenu() {
  const { t } = useTranslation()
  return (
    <Menu
      trigger={<IconButton icon={Languages} label={t('language.label')} tooltip={false} />}
      items={[
        menuChoice({
          label: t('language.label'),
          value: currentLanguage(),
          options: languageChoices,
          choose: (language) => void setLanguage(language),
        }),
      ]}
    />
  )
}
