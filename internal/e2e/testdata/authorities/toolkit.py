"""An authority of django-oauth-toolkit with one client and one user.

Usage: toolkit.py DATABASE init | serve PORT | revoke | disable
"""

import socketserver
import sys
from wsgiref.simple_server import WSGIServer, make_server

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="not secret: it signs nothing that is kept",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": sys.argv[1]}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oauth2_provider"],
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    OAUTH2_PROVIDER={
        "SCOPES": {"openid": "", "profile": "", "domain_api": "", "offline_access": ""},
        "ACCESS_TOKEN_EXPIRE_SECONDS": 4,
    },
)
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import path  # noqa: E402
from oauth2_provider.models import get_application_model, get_refresh_token_model  # noqa: E402
from oauth2_provider.views import TokenView  # noqa: E402

urlpatterns = [path("connect/token", TokenView.as_view())]


class ThreadedServer(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


def client(name, secret):
    get_application_model().objects.create(
        name=name, client_id=name, client_secret=secret, client_type="confidential", authorization_grant_type="password"
    )


match sys.argv[2]:
    case "init":
        call_command("migrate", verbosity=0)
        get_user_model().objects.create_user("ann@harbor.example", password="canary-password")
        client("plain", "canary-client")
        client("signs", "canary+client%2F")
    case "serve":
        application = get_wsgi_application()
        make_server("127.0.0.1", int(sys.argv[3]), application, server_class=ThreadedServer).serve_forever()
    case "revoke":
        for token in get_refresh_token_model().objects.filter(revoked=None):
            token.revoke()
    case "disable":
        get_user_model().objects.update(is_active=False)
