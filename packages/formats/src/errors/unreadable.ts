import { describeExcess, jsonExcess } from '../json/excess.ts'
import { isObject } from '../json/value.ts'
import type { UpstreamFailure } from './upstream-error.ts'

const visibleLength = 120

/** Says what an upstream sent in the place of a response or an error, with its first words. */
export function describeUnreadable({ status, body }: UpstreamFailure, json: unknown): string {
  const excess = jsonExcess(body)
  if (excess !== undefined && status >= 200 && status < 300) return describeExcess(excess)
  const what = kindOfBody(body, json)
  const words = what === undefined ? '' : firstWords(body, what)
  const quoted = words === '' ? '' : `: "${words}"`
  const isSuccess = status >= 200 && status < 300
  if (what === undefined)
    return isSuccess
      ? `The upstream returned ${status} with an empty response.`
      : `The upstream responded with status ${status}.`
  return isSuccess
    ? `The upstream returned ${status} with ${what} instead of a response${quoted}.`
    : `The upstream responded with status ${status} and ${what}${quoted}.`
}

/** The first words of a body that is text or a page; empty for JSON, whose words may be anything's. */
export function wordsOf(body: string): string {
  const what = kindOfBody(body, undefined)
  return what === undefined || /^\s*[[{]/.test(body) ? '' : firstWords(body, what)
}

type BodyName = 'a web page' | 'text' | 'JSON of an unknown form'

function kindOfBody(body: string, json: unknown): BodyName | undefined {
  if (body.trim() === '') return undefined
  if (isObject(json) || Array.isArray(json)) return 'JSON of an unknown form'
  return /^\s*(<!doctype html|<html|<head|<body|<\?xml|<!--|<[a-z]{1,10}[\s>])/i.test(body)
    ? 'a web page'
    : 'text'
}

function firstWords(body: string, what: BodyName): string {
  const start = body.slice(0, searchedLength)
  const text = what === 'a web page' ? pageText(start) : start
  const words = text.replace(/[\s"]+/g, ' ').trim()
  return words.length > visibleLength ? `${words.slice(0, visibleLength).trimEnd()}…` : words
}

/** Longer beginnings of pages are scripts and styles. */
const searchedLength = 4096

/** The title of a page, else its text without marks. */
function pageText(page: string): string {
  const title = /<title[^>]{0,200}>([^<]{1,400})/i.exec(page)?.[1]?.trim()
  if (title) return title
  return page.replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' ').replace(/<[^>]{0,400}>/g, ' ')
}
