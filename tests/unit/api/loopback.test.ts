import { isLoopback } from "../../../provider/src/api/loopback";

test.each([
  "http://127.0.0.1:8080",
  "http://127.255.0.9/api",
  "http://127.1",
  "https://[::1]:8443",
  "http://[::ffff:127.0.0.1]",
  "http://localhost:1",
  "http://LOCALHOST.",
  "https://api.localhost",
])("%s is this machine", (url) => {
  expect(isLoopback(url)).toBe(true);
});

test.each([
  "https://api.example.com",
  "http://128.0.0.1",
  "http://127.0.0.1.example.com",
  "http://localhost.example.com",
  "http://mylocalhost",
  "http://[::2]",
  "http://[::ffff:128.0.0.1]",
])("%s is another machine", (url) => {
  expect(isLoopback(url)).toBe(false);
});
