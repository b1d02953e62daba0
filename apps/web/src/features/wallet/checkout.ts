import type { Checkout } from './api.ts'

/**
 * Decides whether the browser will go there. The console's content security policy lets forms go to HTTPS alone: a form for any other
 * address would be dropped without a word.
 */
export function canGoTo({ url, http_method }: Pick<Checkout, 'url' | 'http_method'>): boolean {
  return http_method === 'GET' || /^https:\/\//i.test(url)
}

/** Leaves for the provider's page: with a form where it takes one, by its address otherwise. */
export function goToCheckout({ url, http_method, fields }: Checkout): void {
  if (http_method === 'GET') {
    window.location.assign(url)
    return
  }
  const form = document.createElement('form')
  form.method = 'POST'
  form.action = url
  form.hidden = true
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(form)
  // A field named `submit` would shadow the method of the form.
  HTMLFormElement.prototype.submit.call(form)
}
