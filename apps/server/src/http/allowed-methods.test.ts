import { describe, expect, it } from 'bun:test'
import { createAllowedMethods, methodNotAllowed } from './allowed-methods.ts'

const allowed = createAllowedMethods([
  { method: 'GET', path: '/api/user/' },
  { method: 'POST', path: '/api/user/' },
  { method: 'GET', path: '/api/user/:id' },
  { method: 'DELETE', path: '/api/user/:id' },
  { method: 'PUT', path: '/api/user/self' },
  { method: 'GET', path: '/api/user/logout', acts: true },
])

describe('the methods of a path', () => {
  it.each([
    ['/api/user', ['GET', 'HEAD', 'POST']],
    ['/api/user/', ['GET', 'HEAD', 'POST']],
    ['/api/user/7', ['GET', 'HEAD', 'DELETE']],
    ['/api/user/self', ['GET', 'HEAD', 'DELETE', 'PUT']],
    ['/api/user/7/8', []],
    ['/api', []],
  ])('%s are those it is served with', (path, methods) => {
    expect(allowed(path)).toEqual(methods)
  })

  it('have HEAD only where GET changes nothing', () => {
    const only = createAllowedMethods([{ method: 'GET', path: '/out', acts: true }])
    expect(only('/out')).toEqual(['GET'])
  })
})

describe('methodNotAllowed', () => {
  it('is 405 and says what is allowed', () => {
    expect(methodNotAllowed('PATCH', '/a', ['GET', 'HEAD'])).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    })
  })

  it('is nothing for what is served, and for paths that are not', () => {
    expect(methodNotAllowed('GET', '/a', ['GET', 'HEAD'])).toBeUndefined()
    expect(methodNotAllowed('GET', '/a', [])).toBeUndefined()
  })
})
