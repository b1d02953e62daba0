import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { loadChunk } from '../lib/api/load-chunk.ts'
import { readLocal, writeLocal } from '../lib/browser/local-store.ts'
import type { Namespace, Resources } from './resources.ts'

export const languages = { en: 'English', zh: '简体中文' } as const
export type LanguageCode = keyof typeof languages

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Resources
  }
}

const filesBackend = {
  type: 'backend' as const,
  read(
    language: string,
    namespace: string,
    done: (error: Error | null, data: Record<string, unknown> | null) => void,
  ) {
    fetchTexts(language, namespace).then(
      (texts) => done(null, texts),
      (cause: unknown) => done(cause instanceof Error ? cause : new Error(String(cause)), null),
    )
  },
}

interface TextFile {
  readonly default: Record<string, unknown>
}

/** Loads the texts of a language and a namespace when a page first needs it. A second call for the same waits for the first. */
async function fetchTexts(language: string, namespace: string): Promise<Record<string, unknown>> {
  const files = namespace === 'common' && pageTexts ? ['common', 'pages'] : [namespace]
  const texts = await Promise.all(files.map((file) => fetchFile(language, file)))
  return Object.assign({}, ...texts)
}

async function fetchFile(language: string, file: string): Promise<Record<string, unknown>> {
  const texts = await loadChunk<TextFile>(() => import(`./${language}/${file}.json`))
  return texts.default
}

/** Common texts that the login page and the frame around it need none of: they are there from the first other page on. */
let pageTexts: Promise<void> | undefined

async function addPageTexts(): Promise<void> {
  await started
  const loaded = Object.keys(languages).filter((code) => i18next.hasResourceBundle(code, 'common'))
  await Promise.all(
    loaded.map(async (code) =>
      i18next.addResourceBundle(code, 'common', await fetchFile(code, 'pages'), true),
    ),
  )
}

/** The person's choice, else the browser's language, else English. */
function preferredLanguage(): LanguageCode {
  const stored = readLocal('language')
  if (stored === 'en' || stored === 'zh') return stored
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

export function currentLanguage(): LanguageCode {
  return i18next.language === 'zh' ? 'zh' : 'en'
}

/** Starts translation; resolves once the frame's own texts are there. */
export function startTranslation(): Promise<void> {
  started = start()
  return started
}

let started: Promise<void> | undefined

async function start(): Promise<void> {
  const language = preferredLanguage()
  document.documentElement.lang = language
  await i18next
    .use(filesBackend)
    .use(initReactI18next)
    .init({
      lng: language,
      supportedLngs: Object.keys(languages),
      // A test keeps both languages complete, so nothing ever falls back.
      fallbackLng: false,
      ns: ['common'],
      defaultNS: 'common',
      // React escapes what it shows.
      interpolation: { escapeValue: false },
      returnNull: false,
    })
  window.addEventListener('storage', ({ key }) => {
    if (key === 'language' && preferredLanguage() !== currentLanguage()) void show(preferredLanguage())
  })
}

/** Remembers the choice and switches every text on screen, in every tab. */
export async function setLanguage(language: LanguageCode): Promise<void> {
  writeLocal('language', language)
  await show(language)
}

let onChange: () => void = () => {}

/** Calls back when another language has been chosen: what the server wrote in the former one is to be read again. */
export function onLanguageChange(callback: () => void): void {
  onChange = callback
}

async function show(language: LanguageCode): Promise<void> {
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  onChange()
}

/** Fetches a page's texts for route loaders, beside its code and the frame's texts, so that none waits for another. */
export async function loadTexts(...namespaces: readonly Namespace[]): Promise<void> {
  pageTexts ??= addPageTexts()
  await Promise.all([
    pageTexts.catch((cause: unknown) => {
      pageTexts = undefined
      throw cause
    }),
    loadOwnTexts(...namespaces),
  ])
}

/** The same for a page that needs of the common texts no more than the frame around it. */
export async function loadOwnTexts(...namespaces: readonly Namespace[]): Promise<void> {
  const language = i18next.language ?? preferredLanguage()
  // A file that does not come is reported below.
  await Promise.allSettled([started, ...namespaces.map((namespace) => fetchTexts(language, namespace))])
  await i18next.loadNamespaces(namespaces)
}

/** A common text outside React (the API client, page titles). */
export const translate = i18next.t.bind(i18next)
