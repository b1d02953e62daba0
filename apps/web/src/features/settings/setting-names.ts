import { useTranslation } from 'react-i18next'
import { shownKeys } from './model/catalogue.ts'

/** Sentences of the server name settings by their keys; the page calls them by their labels. */
export function useSettingNames(): (sentence: string) => string {
  const { t } = useTranslation('settings')
  return (sentence) =>
    sentence.replaceAll(/[A-Za-z]+(?:[._][a-z_]+)*/g, (word) => {
      const key = shownKeys.find((known) => known === word)
      // `Price` and `Footer` are words too; the server's sentences have no other keys of one word.
      return key && /[a-z][A-Z.]|^[A-Z]{2}/.test(word) ? t(`field.${key}.label`) : word
    })
}
