import { isAddress, normalizeAddress } from "../../../provider/src/resources/service-settings/address";

test.each([
  ["10.0.0.1", "10.0.0.1"],
  ["10.0.0.1/32", "10.0.0.1"],
  [" 10.0.0.1 ", "10.0.0.1"],
  ["10.1.2.3/8", "10.0.0.0/8"],
  ["10.0.0.0/8", "10.0.0.0/8"],
  ["1.2.3.4/0", "0.0.0.0/0"],
  ["255.255.255.255", "255.255.255.255"],
  ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
  ["2001:db8::1/128", "2001:db8::1"],
  ["2001:db8::ffff/64", "2001:db8::/64"],
  ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"],
  ["1::", "1::"],
  ["::/0", "::/0"],
  ["::ffff:10.0.0.1", "::ffff:a00:1"],
])("%j is written as %j", (spelling, normal) => {
  expect([normalizeAddress(spelling), isAddress(spelling)]).toEqual([normal, true]);
});

test.each([
  "any",
  "host.example",
  "",
  "10.0.0.1/33",
  "10.0.0.1/",
  "10.0.0.1/+8",
  "10.0.0.1/8/8",
  "010.0.0.1",
  "::1/129",
  "fe80::1%eth0",
])("%j is no address and stays as it is", (text) => {
  expect([normalizeAddress(text), isAddress(text)]).toEqual([text, false]);
});
