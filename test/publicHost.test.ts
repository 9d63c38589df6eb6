import { describe, expect, test } from 'vitest';

import { isPublicAddress, isPublicHost } from '../src/publicHost.ts';

/** Addresses that no stranger may have asked, in each notation. */
const own = [
  '0.0.0.0',
  '10.0.0.5',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.19.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  // IPv4-compatible, mapped, translated.
  '::a00:5',
  '::10.0.0.5',
  '::ffff:a00:5',
  '::ffff:10.0.0.5',
  '::FFFF:10.0.0.5',
  '0:0:0:0:0:ffff:10.0.0.5',
  '::ffff:0:a00:5',
  '::ffff:0:10.0.0.5',
  // NAT64, of the prefix for all and of that of one network.
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.5',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:0:0:0:0:a00:5',
  '64:ff9b:1::a00:5',
  '64:ff9b:1:fffe::808:808',
  // 6to4 and Teredo.
  '2002:a00:5::1',
  '2002:7f00:1::',
  '2001:0:a00:5::f5ff:fffa',
  '2001::1',
  // Private, on the same link, of groups, to discard, of documentation, of protocols.
  'fc00::1',
  'fd00::1',
  'fdff:ffff::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '100::1',
  '2001:db8::1',
  '3fff::1',
  '5f00::1',
  'no address',
  '1:2:3',
];
const others = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.0.1',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '198.20.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:4860:4860::8888',
  '2001:200::1',
  '3fff:1000::1',
];

describe('an address that a name leads to', () => {
  test.each(own)('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  // The last two are what DNS64 and sockets for both families make of 8.8.8.8.
  test.each([...others, '64:ff9b::808:808', '::ffff:8.8.8.8'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

/** The host of an URL that names an address, as the parser makes it; what it does not take is asked by nobody. */
function hostOf(address: string): string {
  const host = address.includes(':') ? `[${address.split('%')[0]}]` : address;
  const url = `http://${host}/a.jpg`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}

describe('a host', () => {
  test.each([...own, '64:ff9b::808:808', '::ffff:8.8.8.8'])('%s is not public', (address) => {
    expect(isPublicHost(hostOf(address))).toBe(false);
  });

  test.each(others)('%s is public', (address) => {
    expect(isPublicHost(hostOf(address))).toBe(true);
  });

  test.each([
    'localhost',
    'localhost.',
    'localhost..',
    'a.localhost...',
    'LOCALHOST',
    'router',
    'router.',
    'nas.local',
    'wiki.corp',
    'wiki.private.',
    'home.arpa',
    'router.home.arpa',
    'local',
    '127.0.0.1.',
    '127.0.0.1..',
    '',
  ])('%j is one of this network', (host) => {
    expect(isPublicHost(host)).toBe(false);
  });

  test.each([
    'media.example.com',
    'media.example.com.',
    'localhost.example.com',
    'mylocal.example',
    'a.nottest',
  ])('%s is one for all', (host) => {
    expect(isPublicHost(host)).toBe(true);
  });
});
